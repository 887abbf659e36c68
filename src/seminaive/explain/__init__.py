"""Why a prediction: contributions that add up, the networks behind them, and what would change them."""
