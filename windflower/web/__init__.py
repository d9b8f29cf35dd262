"""Web pages with live plants: a scene as data, and the page that plays it with the same shaders in a browser."""
