import { signal } from '@preact/signals';

/** How many approvals wait that the signed-in person may decide, as far as is known. */
export const waitingForMe = signal(0);
