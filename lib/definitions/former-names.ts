import { type FileDetail, fault } from './definition-faults'
import { identifierFault } from './names'

/** What is wrong with the `renamedFrom` of `name`; `declared` are the names that exist beside it. */
export const formerNameFaults = (
  name: string,
  formerNames: readonly string[] | undefined,
  pointer: string,
  declared: readonly string[],
): FileDetail[] =>
  (formerNames ?? []).flatMap((former) => {
    const wrong = whyNotFormer(name, former, declared)
    return wrong === null ? [] : [fault(pointer, wrong, former)]
  })

function whyNotFormer(name: string, former: string, declared: readonly string[]): string | null {
  if (former === name) return 'Is the present name'
  if (declared.includes(former)) return `"${former}" is declared too, so it was not renamed`
  return identifierFault(former)
}
