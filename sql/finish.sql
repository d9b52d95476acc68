-- Leaves the session as it was before prepare/.
RESET ROLE;
RESET row_security;
RESET lock_timeout;
RESET search_path;
