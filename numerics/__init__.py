"""Numbers from exact objects, and simulations of the models themselves."""
