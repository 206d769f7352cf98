import type { Kind } from '@/lib/kinds/kind'
import { array } from './array'
import { boolean } from './boolean'
import type { ConsoleKind } from './console-kind'
import { date } from './date'
import { datetime } from './datetime'
import { decimal } from './decimal'
import { duration } from './duration'
import { float } from './float'
import { integer } from './integer'
import { json } from './json'
import { location } from './location'
import { object } from './object'
import { text } from './text'
import { time } from './time'

/** Every kind of fields, as the console shows it and lets people edit it; `lib/kinds` has the rest. */
export const CONSOLE_KINDS: Readonly<Record<Kind, ConsoleKind>> = {
  text,
  integer,
  float,
  decimal,
  boolean,
  date,
  datetime,
  time,
  duration,
  location,
  json,
  object,
  array,
}
