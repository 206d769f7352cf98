import { useRef } from 'react'
import { flushSync } from 'react-dom'

/**
 * For rows that are added and removed by buttons within `area`: a new row, marked `data-row`, has the focus
 * at once; when one has gone, the button that adds, marked `data-add`, has it.
 */
export function useRowFocus<T extends HTMLElement = HTMLDivElement>() {
  const area = useRef<T>(null)
  const find = (selector: string) => [
    ...(area.current?.querySelectorAll<HTMLElement>(selector) ?? []),
  ]
  return {
    area,
    add: (act: () => void) => {
      flushSync(act)
      find('[data-row]').at(-1)?.querySelector('input')?.focus()
    },
    remove: (act: () => void) => {
      flushSync(act)
      find('[data-add]').at(-1)?.focus()
    },
  }
}
