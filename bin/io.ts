import { createColors } from 'picocolors'

/** What the command line reaches outside of itself. */
export type Io = {
  /** Paths are relative to it. */
  cwd: string
  env: Record<string, string | undefined>
  out: (text: string) => void
  err: (text: string) => void
  /** Whether the output goes to a terminal. */
  isTerminal: boolean
  /** Asks the person at the terminal, for what is not shown there where it is `hidden`; null when there is none. */
  ask: ((question: string, options?: { hidden?: boolean }) => Promise<string>) | null
  /** Ends what goes on until it is stopped. */
  signal: AbortSignal
}

export type Colors = ReturnType<typeof createColors>

/** Colours for terminals, unless `NO_COLOR` is set; otherwise they leave texts as they are. */
export const colorsOf = ({ isTerminal, env }: Io) => createColors(isTerminal && !env.NO_COLOR)
