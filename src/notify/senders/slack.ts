import type { GuardedFetch } from '../../tools/http-fetch.ts';
import { notificationText } from '../notification-text.ts';
import type { SlackTarget } from '../targets.ts';
import { postJson } from './post-json.ts';
import type { Send } from './sender.ts';

/** A message for Slack (`verbatim`: it makes no links of its own from what models and users wrote) and what understands its incoming webhooks (Mattermost, Rocket.Chat). */
export function slackSender(target: SlackTarget, fetch: GuardedFetch, consoleUrl: string | null): Send {
  return async (notification, signal) => {
    const { subject, lines, link } = notificationText(notification, consoleUrl);
    const shown = [`*${escaped(subject)}*`, ...lines.map(escaped), ...(link ? [`<${link}|Open in the console>`] : [])].join('\n');
    await postJson(
      fetch,
      target.url,
      JSON.stringify({ text: escaped(subject), blocks: [{ type: 'section', text: { type: 'mrkdwn', verbatim: true, text: shown.slice(0, 3_000) } }] }),
      {},
      signal,
    );
  };
}

/** Slack reads `<…>` as links and mentions, `*` and its like as style; neither is for whoever wrote a summary. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, (mark) => `\u2060${mark}`);
}
