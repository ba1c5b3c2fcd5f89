function run(property, { students, desiredGrade }) {
  if (!Array.isArray(students)) throw new Error('wrong type');
  const roster = new Map();
  const added = students.map((student) => {
    const [name, grade] = Array.isArray(student) ? student : [];
    if (typeof name !== 'string' || !Number.isInteger(grade)) throw new Error('wrong type');
    if (roster.has(name)) return false;
    roster.set(name, grade);
    return true;
  });
  const sorted = [...roster].sort(([nameA, gradeA], [nameB, gradeB]) => gradeA - gradeB || (nameA < nameB ? -1 : 1));
  if (property === 'add') return added;
  if (property === 'roster') return sorted.map(([name]) => name);
  if (property !== 'grade') throw new Error('unknown property');
  if (!Number.isInteger(desiredGrade)) throw new Error('wrong type');
  return sorted.filter(([, grade]) => grade === desiredGrade).map(([name]) => name);
}
