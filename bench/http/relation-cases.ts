import { type Case, get } from './cases'
import { MAX_AMOUNT, ORDERS } from './orders'
import { random, randomInteger } from './random'

const ORDER = '/api/entities/Order'

/** Of orders and their items, read both ways. */
export const relationCases = (): Case[] => [
  {
    name: 'expand',
    title: '10 orders with 5 items each',
    call: (n) => {
      const from = 1 + randomInteger(n, ORDERS - 10)
      const items = 'items(fields:id|product|amount,limit:5)'
      const query = `fields=id,customer,total&filter=id:gte:${from}&sort=id:asc&count=none`
      return {
        engine: get(`${ORDER}?${query}&expand=${items}`),
        bare: get(`/orders/expand?from=${from}`),
      }
    },
    equal: 'records',
  },
  {
    name: 'some',
    title: 'orders with an item of a large amount, newest first, total',
    call: (n) => {
      const least = MAX_AMOUNT * 0.99 + random(n, MAX_AMOUNT * 0.01)
      return {
        engine: get(
          `${ORDER}?fields=id,customer,total&filter=items.some.amount:gt:${least}&sort=placed:desc`,
        ),
        bare: get(`/orders/some?amount=${least}`),
      }
    },
    equal: 'page',
  },
]
