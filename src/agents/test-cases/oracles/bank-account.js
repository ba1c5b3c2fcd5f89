function run(property, { operations }) {
  if (property !== 'bankAccount') throw new Error('unknown property');
  const account = { isOpen: false, balance: 0 };
  return perform(account, operations);
}

// The result is that of the last operation; only `balance` has one.
function perform(account, operations) {
  if (!Array.isArray(operations)) throw new Error('wrong type');
  let result = null;
  for (const each of operations) result = step(account, each);
  return result;
}

function step(account, each) {
  const { operation, amount, number, operations } = each === null || typeof each !== 'object' ? {} : each;
  switch (operation) {
    case 'open':
      if (account.isOpen) throw new Error('account already open');
      account.isOpen = true;
      account.balance = 0;
      return null;
    case 'close':
      mustBeOpen(account);
      account.isOpen = false;
      return null;
    case 'balance':
      mustBeOpen(account);
      return account.balance;
    case 'deposit':
      mustBeOpen(account);
      account.balance += positive(amount);
      return null;
    case 'withdraw':
      mustBeOpen(account);
      if (positive(amount) > account.balance) throw new Error('amount must be less than balance');
      account.balance -= amount;
      return null;
    case 'concurrent':
      // Each operation is one step here, so any order of them that a safe account may choose ends alike.
      if (!Number.isInteger(number) || number < 0 || number > 10000) throw new Error('wrong type');
      for (let round = 0; round < number; round += 1) perform(account, operations);
      return null;
    default:
      throw new Error('wrong type');
  }
}

function mustBeOpen({ isOpen }) {
  if (!isOpen) throw new Error('account not open');
}

function positive(amount) {
  if (typeof amount !== 'number') throw new Error('wrong type');
  if (amount <= 0) throw new Error('amount must be greater than 0');
  return amount;
}
