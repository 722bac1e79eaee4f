//! Programs of the kernel's filter for system calls, made from tables.

use super::calls::{CallAnswer, CallCondition, CallRule};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

/// One filter for each answer of the rows; all other calls are allowed. Where several filters apply, the kernel takes
/// the strictest answer.
pub(super) fn refusing<'r>(
    rows: impl Iterator<Item = &'r CallRule>,
) -> Result<Vec<BpfProgram>, BackendError> {
    let mut by_answer: Vec<(CallAnswer, CallRules)> = Vec::new();
    for row in rows {
        let at = by_answer.iter().position(|(answer, _)| *answer == row.answer).unwrap_or_else(|| {
            by_answer.push((row.answer, CallRules::new()));
            by_answer.len() - 1
        });
        by_answer[at].1.entry(row.number).or_default().extend(rules_of(row.condition)?);
    }
    let mut programs = Vec::new();
    for (answer, rules) in by_answer {
        programs.push(program(rules, SeccompAction::Allow, action(answer))?);
    }
    programs.extend(foreign_numbers());
    Ok(programs)
}

/// A filter that allows the calls of the rows and gives all others one answer.
pub(super) fn allowing(
    rows: impl Iterator<Item = (i64, CallCondition)>,
    otherwise: CallAnswer,
) -> Result<BpfProgram, BackendError> {
    let mut rules = CallRules::new();
    for (number, condition) in rows {
        rules.entry(number).or_default().extend(rules_of(condition)?);
    }
    program(rules, action(otherwise), SeccompAction::Allow)
}

/// By number of the call: the rules of which one must hold, or none for all calls of this number.
type CallRules = BTreeMap<i64, Vec<SeccompRule>>;

fn program(
    rules: CallRules,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, otherwise, matched, architecture)?.try_into()
}

fn action(answer: CallAnswer) -> SeccompAction {
    match answer {
        CallAnswer::Kill => SeccompAction::KillProcess,
        CallAnswer::Refuse(errno) => SeccompAction::Errno(errno as u32),
        CallAnswer::Pretend => SeccompAction::Errno(0),
    }
}

fn rules_of(condition: CallCondition) -> Result<Vec<SeccompRule>, BackendError> {
    let compare = |argument: u8, operator: SeccompCmpOp, value: u32| {
        // The kernel takes these arguments as 32 bits, and ignores what a program puts above them.
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value.into())
    };
    let one = |condition: SeccompCondition| SeccompRule::new(vec![condition]);
    match condition {
        CallCondition::Always => Ok(Vec::new()),
        CallCondition::Equals(argument, value) => Ok(vec![one(compare(argument, SeccompCmpOp::Eq, value)?)?]),
        CallCondition::Differs(argument, value) => {
            Ok(vec![one(compare(argument, SeccompCmpOp::Ne, value)?)?])
        }
        CallCondition::NoneOf(argument, values) => {
            let all = values.iter().map(|&value| compare(argument, SeccompCmpOp::Ne, value));
            Ok(vec![SeccompRule::new(all.collect::<Result<_, _>>()?)?])
        }
        CallCondition::AnyBit(argument, bits) => (0..u32::BITS)
            .map(|at| 1u32 << at)
            .filter(|bit| bits & bit != 0)
            .map(|bit| one(compare(argument, SeccompCmpOp::MaskedEq(bit.into()), bit)?))
            .collect(),
        CallCondition::NoBit(argument, bits) => {
            Ok(vec![one(compare(argument, SeccompCmpOp::MaskedEq(bits.into()), 0)?)?])
        }
        CallCondition::LowBitsNoneOf(argument, values) => (0..16)
            .filter(|value| !values.contains(value))
            .map(|value| one(compare(argument, SeccompCmpOp::MaskedEq(0xf), value)?))
            .collect(),
    }
}

/// Refuses the second set of numbers that some kernels of x86-64 have for the same calls (x32), which no row names.
#[cfg(target_arch = "x86_64")]
fn foreign_numbers() -> Option<BpfProgram> {
    use seccompiler::sock_filter;
    const LOAD_NUMBER: sock_filter = sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 };
    const IS_X32: sock_filter = sock_filter { code: 0x35, jt: 0, jf: 1, k: 0x4000_0000 };
    const REFUSE: sock_filter =
        sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32 };
    const ALLOW: sock_filter = sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW };
    Some(vec![LOAD_NUMBER, IS_X32, REFUSE, ALLOW])
}

#[cfg(not(target_arch = "x86_64"))]
fn foreign_numbers() -> Option<BpfProgram> {
    None
}

#[cfg(test)]
mod tests {
    use super::super::calls::{REFUSED_CALLS, REFUSED_OLD_CALLS};
    use super::*;

    #[test]
    fn the_table_of_refused_calls_becomes_a_few_filters() {
        let programs = refusing(REFUSED_CALLS.iter().chain(REFUSED_OLD_CALLS)).unwrap();
        assert!((3..10).contains(&programs.len()), "{}", programs.len());
    }
}
