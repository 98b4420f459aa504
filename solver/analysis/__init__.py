"""What is asked of a deal beyond its verdict: explanations, hints, reviews, ratings, graphs."""
