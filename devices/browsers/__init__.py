"""The page Permissions › Browsers: the browsers and phones, and what each may be used for."""
