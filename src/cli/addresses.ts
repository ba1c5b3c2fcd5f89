/** Where people look: addresses as they are printed. */

/** A task in the Temporal UI; the UI opens its latest run. Null when the UI's address is not known. */
export function taskUrl(uiUrl: string | null, namespace: string, taskId: string): string | null {
  return uiUrl === null ? null : `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(taskId)}`;
}

/** An approval in the console's inbox. */
export function approvalUrl(consoleUrl: string, taskId: string, approvalId: string): string {
  return `${consoleUrl}/inbox/${encodeURIComponent(taskId)}/${encodeURIComponent(approvalId)}`;
}

/** A value for a POSIX shell, exactly as it is. */
export function shellQuote(value: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
