"""The product for clients of the Model Context Protocol: tools and resources, confined to roots."""
