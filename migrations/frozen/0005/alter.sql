DROP FUNCTION docgraph.expand_once;
