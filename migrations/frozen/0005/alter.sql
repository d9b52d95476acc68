-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.expand_once;
