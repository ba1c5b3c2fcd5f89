export interface DockerInfo {
  version: string;
  /** gVisor is one of its runtimes. */ gvisor: boolean;
}

/** Reads `docker info --format '{{json .}}'`. Null when no daemon answered: the client prints its own half all the same. */
export function readDockerInfo(text: string): DockerInfo | null {
  try {
    const info = JSON.parse(text) as { ServerVersion?: unknown; Runtimes?: unknown };
    if (typeof info.ServerVersion !== 'string' || info.ServerVersion === '') return null;
    const runtimes = typeof info.Runtimes === 'object' && info.Runtimes !== null ? info.Runtimes : {};
    return { version: info.ServerVersion, gvisor: Object.hasOwn(runtimes, 'runsc') };
  } catch {
    return null;
  }
}
