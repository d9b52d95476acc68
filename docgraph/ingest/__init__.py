"""From a folder to documents in the database: read, split, link, summarise, embed, write."""
