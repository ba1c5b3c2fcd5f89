/** docker-compose.yml, as far as it can be checked without an engine: its structure, and the files that it names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readDocument, root } from './markdown.ts';

interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  restart?: string;
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
}
const compose = parse(readDocument('docker-compose.yml')) as { services: Record<string, Service>; volumes: Record<string, unknown> };
const services = Object.entries(compose.services);
/** Runs to its end, and others wait for that. */
const isJob = (name: string): boolean => services.some(([, { depends_on: needs }]) => needs?.[name]?.condition === 'service_completed_successfully');

describe('docker-compose.yml', () => {
  it('has Temporal, its UI, a database, a worker, and jobs for schema and namespace', () => {
    expect(services.map(([name]) => name).toSorted()).toEqual(['postgres', 'temporal', 'temporal-namespace', 'temporal-schema', 'temporal-ui', 'worker']);
    expect(services.filter(([name]) => isJob(name)).map(([name]) => name)).toEqual(['temporal-schema', 'temporal-namespace']);
  });

  it.each(services)('%s is pinned, restarts, and can be waited for', (name, service) => {
    expect(service.image).toMatch(/:\d+\.\d+\.\d+/);
    expect(service.image).not.toContain('auto-setup');
    if (isJob(name)) {
      expect(service.restart).toMatch(/^on-failure:\d+$/);
      return;
    }
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck).toMatchObject({
      test: expect.arrayContaining([expect.any(String)]),
      interval: expect.any(String),
      timeout: expect.any(String),
      retries: expect.any(Number),
    });
  });

  it('binds every port to loopback', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(2);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_]+:-\d+\}:\d+$/);
  });

  it('starts nothing without its passwords, and has none of its own', () => {
    const text = readDocument('docker-compose.yml');
    for (const use of text.matchAll(/\$\{([A-Z_]*PASSWORD)([^}]*)\}/g)) expect(use[2]).toMatch(/^:\?/);
    for (const [, { environment = {} }] of services) {
      for (const [variable, value] of Object.entries(environment)) if (/PASSWORD|PWD|_KEY$/.test(variable)) expect(value).toMatch(/^\$\{[A-Z_]+:[?-][^}]*\}$/);
    }
  });

  it('keeps data in named volumes, and mounts files that are here', () => {
    for (const volume of services.flatMap(([, service]) => service.volumes ?? [])) {
      const source = volume.split(':')[0]!;
      if (source.startsWith('./')) {
        expect(existsSync(join(root, source)), source).toBe(true);
        expect(volume).toMatch(/:ro$/);
      } else expect(Object.keys(compose.volumes)).toContain(source);
    }
    for (const [, { build }] of services) if (build) expect(existsSync(join(root, build.context, build.dockerfile))).toBe(true);
  });

  it('waits only for services that are here, with a condition that can come true', () => {
    for (const [, { depends_on: needs = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needs)) {
        expect(compose.services[name], name).toBeDefined();
        expect(condition).toBe(isJob(name) ? 'service_completed_successfully' : 'service_healthy');
      }
    }
  });

  it('copies into the image only what is here', () => {
    const copied = [...readDocument('docker/worker.Dockerfile').matchAll(/^COPY (.+) \S+$/gm)].flatMap((match) => match[1]!.split(' '));
    expect(copied).toContain('src');
    const allowed = readDocument('docker/worker.Dockerfile.dockerignore');
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(allowed).toContain(`!${path}\n`);
    }
  });
});
