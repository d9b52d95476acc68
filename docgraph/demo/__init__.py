"""The demo: records of a company, and questions that flat search gets wrong and a plan gets right."""
