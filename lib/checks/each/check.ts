import type { Deps } from '@/lib/deps'
import type { ServerCheck } from '../contract'

/** What a check may look at: the server, and the headers of the request that asks for it. */
export type Checked = Deps & { headers: Headers }

export type Verdict = Pick<ServerCheck, 'status' | 'finding' | 'action'>

/** Looks at one thing, without changing anything. */
export type Check = {
  name: string
  title: string
  /** It looks at the request that asks. */
  ofRequest?: true
  look: (checked: Checked) => Verdict | Promise<Verdict>
}

export const ok = (finding: string): Verdict => ({ status: 'ok', finding, action: null })
export const warning = (finding: string, action: string): Verdict => ({
  ...{ status: 'warning', finding, action },
})
export const fault = (finding: string, action: string): Verdict => ({
  ...{ status: 'fault', finding, action },
})

/** `1 table`, `2 tables` */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** The first of a list, and how many more there are. */
export const listed = (names: readonly string[], most = 5): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`
