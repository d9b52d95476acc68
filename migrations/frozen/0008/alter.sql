DROP FUNCTION docgraph.assemble_context;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.sensitivity_of;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.read_text;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.measure_texts;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.links_among;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.dominant_scope;
