"""How things look: boards, lines of play and results as text, rich trees and JSON records.

Every function here is pure: values in, text or a rich renderable out. Nothing prints.
"""
