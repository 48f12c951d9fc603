"""What is done with models and runs besides running them: mechanisms, identification, worksites."""
