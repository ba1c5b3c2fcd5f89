/** Decisions of whoever runs this command, signed with the key of this machine's user. */
import { ROLES } from '../contracts/reasons.ts';
import type { DecisionSigner } from '../client.ts';
import type { Config } from '../config.ts';
import { openKeyring, publicHalf } from '../identity/keyring.ts';
import { createSigner, NoSigningKeyError } from '../identity/sign-decision.ts';
import type { Store } from '../store/store.ts';

const OWNER = 'cli';

/** Makes the key on first use, and makes it known to tasks that start from now on. */
export async function registerLocalKey({ keys }: Pick<Config, 'keys'>, store: Store): Promise<void> {
  const keyring = await openKeyring(keys);
  await store.signingKeys.put(publicHalf(await keyring.current(OWNER)));
}

/**
 * Vouches for the person at this machine: whoever may read the key's file holds every role. A task that knows none of the keys here gets the decision
 * unsigned, and says whether that counts.
 * @param lifetimeMs how long a decision that was signed may be sent; default 2 minutes
 */
export function createLocalSigner({ keys }: Pick<Config, 'keys'>, store: Store, lifetimeMs?: number): DecisionSigner {
  return {
    async sign(decision) {
      const [task, approval] = await Promise.all([store.tasks.get(decision.taskId), store.approvals.get(decision.taskId, decision.approvalId)]);
      const asked = approval ? [...approval.approvers.roles, ...(approval.escalation?.roles ?? [])] : [];
      const signer = createSigner(await openKeyring(keys), OWNER);
      try {
        return await signer.sign({ ...decision, roles: [...new Set([...ROLES, ...asked])] }, task?.snapshot?.decisions?.keys ?? [], lifetimeMs);
      } catch (error) {
        if (error instanceof NoSigningKeyError) return null;
        throw error;
      }
    },
  };
}
