-- PostgreSQL gives EXECUTE on every new function to PUBLIC. For the owner role this takes it back, for
-- every function it will ever create (the per-schema form of this command would do nothing).
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
