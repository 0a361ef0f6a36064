"""What people see: view-models rendered for the terminal, as JSON, as pictures."""
