import type { DocumentView, MemoryHit } from '../../contracts/api/knowledge.ts';
import type { RetrievedExperience } from '../../retrieval/experiences.ts';
import type { DocumentRow } from '../../store/documents.ts';
import { rfc3339 } from './time.ts';

export function documentView({ name, agent, title, format, version, chunks, embedder, addedBy, createdAt, updatedAt }: DocumentRow): DocumentView {
  return { name, agent, title, format, version, chunks, embedder, addedBy, createdAt: rfc3339(createdAt), updatedAt: rfc3339(updatedAt) };
}

export function memoryHit({ experience, ranked }: RetrievedExperience): MemoryHit {
  const { agent: _agent, tenant: _tenant, stage: _stage, reward: _reward, createdAt, lastSeenAt, ...told } = experience;
  const why = ranked && { score: ranked.score, fused: ranked.fused, age: ranked.age, trust: ranked.trust, ranks: ranked.ranks };
  return { ...told, createdAt: rfc3339(createdAt), lastSeenAt: rfc3339(lastSeenAt), ranked: why };
}
