import type { toast as Toast } from 'sonner'

type Show = typeof Toast

/** Asks for the place where notices are shown. */
export const NOTICE = 'engine:notice'

let resolveShown: (show: Show) => void = () => {}
const shown = new Promise<Show>((resolve) => {
  resolveShown = resolve
})
export const onNoticesShown = (show: Show): void => resolveShown(show)

const later =
  <Kind extends 'success' | 'error' | 'info' | 'warning' | 'dismiss'>(kind: Kind) =>
  (...notice: Parameters<Show[Kind]>): void => {
    window.dispatchEvent(new Event(NOTICE))
    void shown.then((show) => (show[kind] as (...notice: unknown[]) => unknown)(...notice))
  }

/** Notices of the console: each waits until `Notices` can announce it. */
export const toast = {
  success: later('success'),
  error: later('error'),
  info: later('info'),
  warning: later('warning'),
  dismiss: later('dismiss'),
}
