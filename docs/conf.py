"""How the documentation is built: ``sphinx-build -W --keep-going -b html docs docs/_build/html``, offline."""

import seminaive

project = "seminaive"
author = "The seminaive developers"
copyright = author
release = version = seminaive.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "examples"]
default_role = "py:obj"

autosummary_generate = True
autodoc_typehints = "none"  # types stand in the docstrings
numpydoc_show_class_members = False  # the class template lists them
numpydoc_validation_checks = {"GL06", "GL07", "GL10", "PR02", "PR03", "PR05"}

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "auto_examples",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 3600,
    "reference_url": {"seminaive": None},
    "doc_module": ("seminaive",),
    "backreferences_dir": "api/generated/examples",
}

html_theme = "pydata_sphinx_theme"
html_title = f"seminaive {release}"
html_show_sourcelink = False
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False}
html_sidebars = {
    "getting_started": [],
    "classifiers": [],
    "which_classifier": [],
    "policies": [],
    "command_line": [],
    "case_networks": [],
    "experiments": [],
    "selection": [],
    "explanations": [],
    "two_patients": [],
}
