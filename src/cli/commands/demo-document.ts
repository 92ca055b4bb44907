/** What `foreclaim demo` shows: the text of examples/pay-card.eir (a test keeps them the same), and two sets of mocks. */

export const demoDocument = `effect-ir 1

// Pays the month's bills with a card that is kept frozen in between.

fluent card.frozen[string]: bool = true

tool bills.due() -> list<record{to: string, amount: real}>
  reads
  ensures every(result, bill => bill.amount > 0)
tool card.unfreeze(card: string)
  sets card.frozen[card] = false
tool card.pay(to: string, amount: real)
  requires not now card.frozen["visa"]
  cost amount
tool card.freeze(card: string)
  sets card.frozen[card] = true

program (budget: real) {
  require budget <= 500: "more than 500 a month needs another approval"
  let bills = call bills.due()
  call card.unfreeze(card: "visa")
  for bill in bills max 20 carry spent: real = 0 {
    let fits = spent + bill.amount <= budget
    call @pay card.pay(to: bill.to, amount: bill.amount) when fits
    next spent = if fits then spent + bill.amount else spent
  }
  call card.freeze(card: "visa")
}

guarantee card.maxSpend(500): sum(p in card.pay: p.amount) <= 500
guarantee card.frozenAtEnd("visa"): final card.frozen["visa"]
`;

export const demoInputs = '{ "budget": 300 }';

const bills = `{ "returns": [
  { "to": "power", "amount": 84.5 },
  { "to": "rent", "amount": 950 },
  { "to": "phone", "amount": 29.9 }
] }`;

export const demoMocks = `{ "bills.due": ${bills} }`;

/** The bank does not answer when the card is to be frozen again. */
export const demoMocksFailing = `{
  "bills.due": ${bills},
  "card.freeze": { "fails": "the bank does not answer" }
}`;
