export const signIn = {
  title: 'Sign in',
  signingIn: 'Signing in…',
  needsLink: 'The console is opened by a sign-in link that works once.',
  ended: 'Your session has ended. Open a new sign-in link to go on.',
  howDevelopment: 'In development, `npm run dev` prints a link when it starts.',
  howCommand: 'On the machine where Loopwright runs, this makes a new one:',
  badLink: 'This link does not work',
  badLinkHint: 'A link works once and for a short time: it was used already, has expired, or was cut off when it was copied.',
  signedInAs: (who: string) => `Signed in as ${who}`,
};
