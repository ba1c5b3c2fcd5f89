/** Failures that say the same are one cluster. Pure: the same points give the same clusters, in whatever order they come. */
import { cosine, normalised } from './embedding.ts';

/** A text with its vector; texts of one clustering come from one embedder. */
export interface Point {
  text: string;
  /** Of length 1, or all zeros. */
  vector: readonly number[];
  /** How many failures say it. */
  weight: number;
}

export interface Grouped<Member extends Point> {
  /** In order of text. */
  members: Member[];
  /** Mean of the members' vectors by weight, of length 1. */
  centroid: number[];
  /** The member nearest to the centroid: what to call the cluster by. */
  central: Member;
}

/** Numbers, ids and hashes tell one task from another, not one kind of failure from another. */
const PARTICULARS = /(?<![\p{L}\p{N}])[0-9a-f]{12,}(?![\p{L}\p{N}])|\p{N}+(?:[.,:/-]\p{N}+)*/giu;
const MAX_TEXT = 600;

/** What a failure is compared by: its text with every number and long hexadecimal id as `#`, on one line. */
export function comparedText(text: string): string {
  return text.normalize('NFKC').replace(PARTICULARS, '#').replace(/\s+/gu, ' ').trim().slice(0, MAX_TEXT);
}

/**
 * Single-link clustering: two texts whose cosine reaches `threshold` are of one cluster, and so is whatever hangs together by such pairs
 * (connected components of the graph of near pairs; Sibson, "SLINK", The Computer Journal 16, 1973). Largest first. n²/2 comparisons.
 * @param points each text once
 */
export function groupByNearness<Member extends Point>(points: readonly Member[], threshold: number): Grouped<Member>[] {
  const sorted = points.toSorted((left, right) => compareTexts(left.text, right.text));
  const parents = sorted.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root]!;
    parents[index] = root;
    return root;
  };
  for (const [right, point] of sorted.entries()) {
    for (let left = 0; left < right; left += 1) {
      const [one, other] = [rootOf(left), rootOf(right)];
      if (one !== other && cosine(sorted[left]!.vector, point.vector) >= threshold) parents[Math.max(one, other)] = Math.min(one, other);
    }
  }
  const groups = [...Map.groupBy(sorted, (_, index) => rootOf(index)).values()].map(grouped);
  return groups.toSorted((left, right) => weightOf(right) - weightOf(left) || compareTexts(left.members[0]!.text, right.members[0]!.text));
}

function grouped<Member extends Point>(members: Member[]): Grouped<Member> {
  const centroid = normalised(members[0]!.vector.map((_, place) => members.reduce((sum, { vector, weight }) => sum + vector[place]! * weight, 0)));
  let [central] = members;
  for (const member of members) if (cosine(member.vector, centroid) > cosine(central!.vector, centroid) + 1e-12) central = member;
  return { members, centroid, central: central! };
}

/** Failures of the cluster. */
export function weightOf(group: { members: readonly Pick<Point, 'weight'>[] }): number {
  return group.members.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Which known cluster each found one is: the nearest pairs first, each cluster once, none below the threshold. By position; null: it is new.
 * @param known in any order: of equally near ones the smaller id is taken
 */
export function matchClusters(
  found: readonly { centroid: readonly number[] }[],
  known: readonly { clusterId: string; centroid: readonly number[] }[],
  threshold: number,
): (string | null)[] {
  const pairs = found.flatMap((group, index) => known.map(({ clusterId, centroid }) => ({ index, clusterId, nearness: cosine(group.centroid, centroid) })));
  const matched: (string | null)[] = found.map(() => null);
  const taken = new Set<string>();
  for (const { index, clusterId, nearness } of pairs.toSorted((a, b) => b.nearness - a.nearness || compareTexts(a.clusterId, b.clusterId) || a.index - b.index)) {
    if (nearness < threshold) break;
    if (matched[index] !== null || taken.has(clusterId)) continue;
    matched[index] = clusterId;
    taken.add(clusterId);
  }
  return matched;
}

/** By UTF-16 units, as on every machine. */
function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
