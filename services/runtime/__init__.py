"""What every process needs: settings, logs, clocks, an embedded Redis; knows no other room."""
