"""What commands are asked: options, each declared once as a field of a request, and the values they take."""
