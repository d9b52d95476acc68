-- All at once, in the order in which those who write take them: a writer is waited for, or waits, and nobody is in the way
-- of the other.
LOCK TABLE docgraph.document_nodes, docgraph.lexical_index IN ACCESS EXCLUSIVE MODE;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.order_by_bridge;
