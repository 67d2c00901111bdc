import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

export const upgradeForms = ['pause', 'continue', 'limit', 'guard', 'delete', 'rollBack'] as const;
export type UpgradeForm = (typeof upgradeForms)[number];

/** The form that is open, in the address; `to` is what the form of the limit is filled with. */
export function useUpgradeForm() {
  const [{ form, to }, set] = useQueryStates({ form: parseAsStringLiteral(upgradeForms), to: parseAsString });
  return {
    form,
    to: to ?? undefined,
    open: (next: UpgradeForm, filled?: string) => void set({ form: next, to: filled ?? null }),
    close: () => void set({ form: null, to: null }),
  };
}
export type UpgradeFormState = ReturnType<typeof useUpgradeForm>;
