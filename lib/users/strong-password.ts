import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN, password } from './contract'

let common: Set<string> | undefined
/** One character, however often: of these the list has some lengths only. */
const REPEATED = /^(.)\1*$/su

/** Whether attackers try it first; case does not help. The list is unpacked on first use. */
function isCommon(text: string): boolean {
  common ??= new Set(dictionary['passwords-common'].filter((entry) => entry.length >= PASSWORD_MIN))
  const normal = text.normalize('NFKC').toLowerCase()
  return common.has(normal) || REPEATED.test(normal)
}

/** A password as people may choose it: length, and not one of the commonly used ones (NIST 800-63B). */
export const strongPassword = password.refine(
  (text) => !isCommon(text),
  'This is one of the most used passwords; choose another',
)
