#!/bin/sh
# The namespace, how long it keeps closed tasks, and the search attributes (src/contracts/names.ts; a test compares).
# TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE are read by the CLI itself.
set -eu

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi

# A namespace that was just made is not known to every part of the server at once; a failure ends the job, and it is started again.
known=$(temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE")
register() {
  echo "$known" | grep -qw "$1" || temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$1" --type "$2"
}
register LoopwrightAgent Keyword
register LoopwrightPhase Keyword
register LoopwrightOutcome Keyword
register LoopwrightScore Double
register LoopwrightAttempt Int
register LoopwrightAwaitingApproval Bool
register LoopwrightCostMicros Int
