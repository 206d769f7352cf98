import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN, password } from './contract'

let common: Set<string> | undefined
/** A repeated character: the list has only some lengths. */
const REPEATED = /^(.)\1*$/su

/** Whether the password is commonly used (case-insensitive). The list is unpacked on first use. */
function isCommon(text: string): boolean {
  common ??= new Set(dictionary['passwords-common'].filter((entry) => entry.length >= PASSWORD_MIN))
  const normal = text.normalize('NFKC').toLowerCase()
  return common.has(normal) || REPEATED.test(normal)
}

/** A password that a person may choose: long enough and not commonly used (NIST 800-63B). */
export const strongPassword = password.refine(
  (text) => !isCommon(text),
  'This is one of the most used passwords; choose another',
)
