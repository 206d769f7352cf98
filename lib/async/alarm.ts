export type Alarm = { ring: () => void; wait: (ms: number) => Promise<void> }

/** A pause that `ring` ends; a ring outside a pause ends the next one. */
export function newAlarm(): Alarm {
  let rung = false
  let wake = () => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    wait: async (ms) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
    },
  }
}
