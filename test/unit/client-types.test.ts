import { describe, expectTypeOf, it } from 'vitest';
import type { Loopwright } from '../../src/client.ts';
import type { SupportInput } from '../../src/agents/support/schemas.ts';

describe('the client', () => {
  it('is typed by agent', () => {
    type Start = Loopwright['start'];
    expectTypeOf<Parameters<Start>[0]>().toExtend<string>();
    const start = (client: Loopwright): void => {
      void client.start('support', { message: 'where is A001?' });
      // @ts-expect-error -- message is a string
      void client.start('support', { message: 1 });
      // @ts-expect-error -- there is no such agent
      void client.start('nobody', { message: 'hello' });
    };
    expectTypeOf(start).toBeFunction();
    expectTypeOf<SupportInput>().toHaveProperty('message');
  });
});
