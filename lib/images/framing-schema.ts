import { z } from 'zod'

const fraction = z
  .number('Must be a number from 0 to 1')
  .min(0, 'Must be at least 0')
  .max(1, 'Must be at most 1')
const extent = fraction.positive('Must be above 0')

/** A point of an image as it is shown. */
export const focalPointSchema = z
  .strictObject({ x: fraction, y: fraction })
  .meta({ description: 'In fractions of width and height, from the upper left corner' })

/** Fractions such as 0.1 and 0.9 add up to slightly more than 1. */
const ROUNDING = 1e-9

/** A part of an image as it is shown. */
export const cropSchema = z
  .strictObject({ x: fraction, y: fraction, width: extent, height: extent })
  .refine(({ x, width }) => x + width <= 1 + ROUNDING, {
    path: ['width'],
    error: 'Reaches beyond the right edge: "x" and "width" are more than 1 together',
  })
  .refine(({ y, height }) => y + height <= 1 + ROUNDING, {
    path: ['height'],
    error: 'Reaches beyond the lower edge: "y" and "height" are more than 1 together',
  })
  .meta({ description: 'In fractions of width and height, from the upper left corner' })
