"""Pictures and pages: SVG, HTML, notebooks."""
