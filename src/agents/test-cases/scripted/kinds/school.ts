import type { Example, Kind } from '../kind.ts';

type Student = [name: string, grade: unknown];
const NAMES = ['Ava', 'Ben', 'Cleo', 'Dan', 'Ella', 'Finn', 'Gus', 'Hana', 'Ivo', 'June', 'Kai', 'Lena'];
/** Some names, in no order, others for each point. */
const names = (index: number, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${NAMES[(index * 5 + place * 7) % NAMES.length]!}${index > 11 ? index : ''}`);

/** Each name counts once, where it came first. */
function enrolled(students: Student[]): Student[] {
  return students.filter(([name], place) => students.findIndex(([other]) => other === name) === place);
}

function roster(students: Student[]): string[] {
  return enrolled(students)
    .toSorted(([nameA, gradeA], [nameB, gradeB]) => Number(gradeA) - Number(gradeB) || nameA.localeCompare(nameB, 'en'))
    .map(([name]) => name);
}

function example(property: string, students: Student[], desiredGrade = 2): Example {
  const first = (place: number): boolean => students.findIndex(([name]) => name === students[place]![0]) === place;
  const wrongType = students.some(([, grade]) => !Number.isInteger(grade));
  const expected = wrongType
    ? { error: 'wrong type' }
    : property === 'add'
      ? students.map((_, place) => first(place))
      : roster(property === 'grade' ? enrolled(students).filter(([, grade]) => grade === desiredGrade) : students);
  return { data: { property, input: property === 'grade' ? { students, desiredGrade } : { students } }, expected };
}

/** Who is added, by the words of the point. */
function studentsFor(point: string, index: number): Student[] {
  const [a, b, c, d, e] = names(index, 5) as [string, string, string, string, string];
  if (/empty.*(?:in the roster|no student is added)|no student is added/i.test(point)) return [];
  if (/empty/i.test(point))
    return [
      [a, 3],
      [b, 3],
      [c, 5],
    ];
  if (/(?:same student|not added).*(?:multiple|other)/i.test(point))
    return [
      [a, 2],
      [b, 2],
      [b, 3],
      [c, 3],
    ];
  if (/more than once|not added/i.test(point))
    return [
      [a, 2],
      [b, 2],
      [b, 2],
      [c, 2],
    ];
  if (/sorted.*grades.*name/i.test(point))
    return [
      [c, 2],
      [a, 1],
      [e, 2],
      [b, 3],
      [d, 1],
    ];
  if (/sorted.*grades/i.test(point))
    return [
      [a, 3],
      [b, 2],
      [c, 1],
    ];
  if (/sorted/i.test(point))
    return [
      [a, 2],
      [b, 2],
      [c, 2],
      [d, 1],
    ];
  if (/multiple grades/i.test(point))
    return [
      [a, 3],
      [b, 7],
    ];
  if (/multiple/i.test(point))
    return [
      [a, 2],
      [b, 2],
      [c, 2],
    ];
  return [[a, 2]];
}

function propertyFor(point: string): string {
  if (/^(?:add|cannot add)/i.test(point)) return 'add';
  return /^grade is empty/i.test(point) || !/roster|all (?:students|grades)/i.test(point) ? 'grade' : 'roster';
}

export const schoolKind: Kind = {
  forPoint: (point, index) => example(propertyFor(point), studentsFor(point, index), /other grade|grade 3/i.test(point) ? 3 : 2),
  boundary: (boundary) => {
    switch (boundary) {
      case 'empty':
        return example('add', []);
      case 'negative':
        return example('roster', [
          ['Mia', 1],
          ['Noa', -1],
        ]);
      case 'maximum':
        return example('roster', [
          ['Ole', 1_000_000],
          ['Pia', 1],
        ]);
      case 'wrong_type':
        return { data: { property: 'roster', input: { students: 'Quinn' } }, expected: { error: 'wrong type' } };
      case 'permission':
        return null;
    }
  },
};
