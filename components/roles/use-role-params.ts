import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs'

const PARAMS = {
  /** A part of the names of the roles. */
  role: parseAsString.withDefault(''),
  rolePage: parseAsInteger.withDefault(1),
}

/** Which roles are shown, in the address of the page; pages count from 1. */
export function useRoleParams() {
  const [{ role, rolePage }, set] = useQueryStates(PARAMS, { scroll: false })
  return {
    role,
    rolePage,
    setRole: (text: string) => void set({ role: text || null, rolePage: null }),
    setRolePage: (page: number) => void set({ rolePage: page }),
  }
}
