import type { ParameterValues, PracticeFault, PracticeParameter } from '@/lib/contracts/practice';

type Named = { name: string };
type NumberBounds = { min: number; max: number; whole: boolean };

/** One thing that a fault takes, as a form asks for it. */
export type Parameter = Named &
  (
    | ({ kind: 'number' } & NumberBounds)
    | { kind: 'text' }
    /** One of a few; '' stands for what happens when nothing is said. `optional`: there is no value that stands for it. */
    | { kind: 'choice'; of: 'text' | 'number' | 'flag'; options: readonly string[]; optional: boolean }
    /** Some of a few. */
    | { kind: 'choices'; options: readonly string[]; min: number }
  );

/** What the form holds: a text of each parameter, '' where nothing is said; of `choices` what is chosen. */
export type Draft = Readonly<Record<string, string | readonly string[]>>;

/** What is wrong with a field: a message of `practice.wrong` and its values. */
export type Wrong = { key: 'number' | 'whole' | 'range' | 'choose'; min: number; max: number };

export function parametersOf({ params }: Pick<PracticeFault, 'params'>): Parameter[] {
  const all = Object.entries(params.properties).map(([name, one]): Parameter => ({ name, ...shapeOf(one) }));
  // What takes the whole width comes after what stands side by side.
  return all.sort((a, b) => Number(a.kind === 'choices') - Number(b.kind === 'choices'));
}

function shapeOf(one: PracticeParameter) {
  const optional = one.default === undefined;
  if ('anyOf' in one) {
    const options = one.anyOf.map((option) => String(option.const));
    return { kind: 'choice', of: 'number', options, optional } as const;
  }
  switch (one.type) {
    case 'number':
    case 'integer': {
      const { minimum: min = Number.MIN_SAFE_INTEGER, maximum: max = Number.MAX_SAFE_INTEGER } = one;
      return { kind: 'number', min, max, whole: one.type === 'integer' } as const;
    }
    case 'boolean':
      return { kind: 'choice', of: 'flag', options: ['true', 'false'], optional } as const;
    case 'string':
      if (one.enum === undefined) return { kind: 'text' } as const;
      return { kind: 'choice', of: 'text', options: one.enum, optional } as const;
    case 'array':
      return { kind: 'choices', options: one.items.enum, min: one.minItems ?? 0 } as const;
  }
}

/** What stands in a form before anybody has touched it. */
export function firstDraft({ params }: Pick<PracticeFault, 'params'>): Draft {
  return Object.fromEntries(
    Object.entries(params.properties).map(([name, one]) => {
      const { default: value = 'items' in one ? [] : '' } = one;
      return [name, Array.isArray(value) ? value : String(value)];
    }),
  );
}

/** The parameters that a draft says, and what is wrong with it, by name. What is left empty is not said. */
export function read(
  parameters: readonly Parameter[],
  draft: Draft,
): { values: ParameterValues; wrong: Readonly<Record<string, Wrong>> } {
  const values: ParameterValues = {};
  const wrong: Record<string, Wrong> = {};
  for (const parameter of parameters) {
    const { name, kind } = parameter;
    const said = draft[name] ?? '';
    if (kind === 'choices') {
      const chosen = typeof said === 'string' ? [] : [...said];
      if (chosen.length < parameter.min) wrong[name] = { key: 'choose', min: parameter.min, max: 0 };
      else if (chosen.length > 0) values[name] = chosen;
      continue;
    }
    const text = String(said).trim();
    if (text === '') continue;
    if (kind === 'number') {
      const problem = wrongNumber(text, parameter);
      if (problem === undefined) values[name] = Number(text);
      else wrong[name] = problem;
    } else if (kind === 'choice' && parameter.of !== 'text') {
      values[name] = parameter.of === 'number' ? Number(text) : text === 'true';
    } else values[name] = text;
  }
  return { values, wrong };
}

/** `1e3`, `0x10` and full-width digits are no numbers that somebody means to type. */
function wrongNumber(text: string, { min, max, whole }: NumberBounds): Wrong | undefined {
  if (!/^-?[0-9]{1,15}(\.[0-9]{1,6})?$/.test(text)) return { key: 'number', min, max };
  const value = Number(text);
  if (whole && !Number.isInteger(value)) return { key: 'whole', min, max };
  return value < min || value > max ? { key: 'range', min, max } : undefined;
}

/** The parameters of a fault at work that are not what they are when nothing is said. */
export function saidOf(fault: Pick<PracticeFault, 'params'> | undefined, params: ParameterValues) {
  return Object.entries(params)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(fault?.params.properties[name]?.default))
    .map(([name, value]) => ({ name, value }));
}
