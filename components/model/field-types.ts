import { CONSOLE_KINDS } from '@/components/kinds/kinds'

/** The types of the engine that are offered. */
export const TYPES: readonly string[] = Object.values(CONSOLE_KINDS).flatMap(({ types }) => types)
