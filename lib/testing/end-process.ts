import { afterAll, vi } from 'vitest'

/** For a file whose tests stop what a process does: the files after it begin as in a new process. */
export function endProcess(): void {
  afterAll(() => {
    for (const name of Object.keys(globalThis))
      if (name.startsWith('__engine')) Reflect.deleteProperty(globalThis, name)
    vi.resetModules()
  })
}
