import type { ValueForm } from '@/components/kinds/console-kind'
import { isNumericText } from '@/lib/values/numeric-text'
import { isTime, parseDatetime } from '@/lib/values/parse-datetime'
import { parseDuration } from '@/lib/values/parse-duration'
import { relativeTime } from '@/lib/values/relative-time'

/**
 * Whether a value of a condition may be of a form: never stricter than the server, which has the last word. Apart from the kinds
 * of fields, since the table needs those and none of this.
 */
export const VALUE_FORMS: Record<ValueForm, (text: string, value: unknown) => boolean> = {
  any: () => true,
  flag: (text) => /^(true|false)$/i.test(text),
  number: isNumericText,
  moment: (text, value) => typeof value !== 'string' || isMoment(text),
  'time of day': isTime,
  duration: (text) => parseDuration(text) !== null,
}

const isMoment = (text: string): boolean =>
  text.startsWith('$')
    ? relativeTime(text) !== null
    : /^-?\d{9,15}$/.test(text) ||
      parseDatetime(text.replace(/ (\d\d:?\d\d)$/, '+$1')) !== null ||
      parseDatetime(text) !== null
