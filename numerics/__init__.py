"""Numbers: precise evaluation, spectra, and simulations that know no prediction."""
