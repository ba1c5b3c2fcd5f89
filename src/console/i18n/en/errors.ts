/** What to tell a person about an error of the gateway: by its code, else by its HTTP status. */
export const errors = {
  byCode: {
    unreachable: 'The gateway does not answer. Check that it runs and that you are online.',
    already_decided: 'Somebody decided this before you.',
    expired: 'This was decided too late: its time was up.',
    wrong_hash: 'What you saw is no longer what would run. Look at it again.',
    unknown_approval: 'There is no such approval.',
    requester: 'You asked for this yourself, so another person must approve it.',
    already_voted: 'You have approved this already. A second person must approve it too.',
    not_an_approver: 'You may not decide this.',
    task_closed: 'The task has ended.',
    audit_unavailable: 'The decision could not be written down, so it does not count. Try again.',
  } as Record<string, string>,
  byStatus: {
    401: 'You are not signed in.',
    403: 'You may not do this.',
    404: 'There is no such thing.',
    429: 'Too many requests. Wait a moment.',
    500: 'The gateway failed.',
    502: 'The gateway can’t be reached.',
    503: 'The gateway is not ready.',
  } as Record<number, string>,
};
