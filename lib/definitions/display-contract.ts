import { z } from 'zod'
import { jsonValue } from '@/lib/values/wire-types'
import { COLORS, DISPLAY_ROLES, NUMBER_STYLES } from './display'
import { DISPLAYS } from './display-forms'

const field = z.string().optional()

/** How people see the records of an entity, in responses. */
export const entityDisplay = z
  .object({
    title: field.meta({ description: 'The field that names a record' }),
    columns: z
      .array(z.string())
      .optional()
      .meta({ description: 'The fields that lists show at first, in this order' }),
    form: z.enum(DISPLAYS).optional().meta({ description: 'The form in which lists open' }),
    image: field.meta({ description: 'The field with the images of cards' }),
    date: field.meta({ description: 'The field whose days a calendar shows' }),
    place: field.meta({ description: 'The field with the places of a map' }),
    latitude: field,
    longitude: field,
  })
  .meta({ id: 'Engine.EntityDisplay' })

const choice = z.object({
  value: jsonValue,
  label: z.string().optional(),
  color: z.enum(COLORS).optional(),
})

const numberFormat = z.object({
  style: z.enum(NUMBER_STYLES).optional(),
  currency: z.string().optional().meta({ description: 'ISO 4217' }),
  decimals: z.int().optional().meta({ description: 'Digits after the point, rounded' }),
  grouping: z
    .boolean()
    .optional()
    .meta({ description: 'Whether there are separators between thousands; absent: there are' }),
})

/** How people see a field, in responses. */
export const fieldDisplay = z
  .object({
    choices: z
      .array(choice)
      .meta({ description: 'The values of `enum` that have a label or a colour' }),
    group: z.string().meta({ description: 'The section of the form' }),
    hint: z
      .string()
      .meta({ description: 'Stands below the field in forms, in place of its description' }),
    hidden: z
      .object({ list: z.literal(true) })
      .meta({ description: 'Lists do not show it at first' }),
    format: numberFormat.meta({ description: 'How the number is written' }),
    unit: z.string().meta({ description: 'Stands behind the number' }),
    roles: z
      .array(z.enum(DISPLAY_ROLES))
      .meta({ description: 'What the entity uses the field for, as its `display` says' }),
    column: z
      .int()
      .min(0)
      .meta({ description: 'Its place among the columns that lists show at first' }),
  })
  .partial()
  .meta({ id: 'Engine.FieldDisplay' })
