//! `ci verify --object FILE --contract FILE`: what is proved of a function in anybody's object file, and what it does when it is run.

mod link;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use object::read::archive::ArchiveFile;
use rayon::prelude::*;
use vambrace::kernels::{ALL, Kernel};
use vambrace_contract::file::{ObjectContract, Variable};
use vambrace_prover::arguments::ShapeError;
use vambrace_prover::code::{Code, ElfFile, Table};
use vambrace_prover::{fits, t32};

use crate::build;
use crate::features::encoding;
use crate::features::encoding::Needs;
use crate::place::Replay;
use crate::proofs::{self, Attempt, apart};
use crate::report::Effort;
use crate::verify::Ending;

/// Where relative names of files are meant, when the program was started from elsewhere.
const CALLED_FROM: &str = "CALLED_FROM";

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The object, as its user names it.
    pub object: &'a Path,
    /// The contract, as its user names it.
    pub contract: &'a Path,
    /// How much to run.
    pub effort: Effort,
    /// Where all randomness comes from.
    pub seed: u64,
    /// What alone is to be run.
    pub replay: Option<&'a Replay>,
}

/// Proves the function that a contract describes, for each value of each of its variables, and runs it.
///
/// # Errors
/// If a file cannot be read, the contract is none for the function, or no guest can be built.
pub fn run(request: &Request<'_>) -> Result<Ending, String> {
    let (object, contract) = (meant(request.object), meant(request.contract));
    let given = Given::read(&object, &contract)?;
    let cases = given.cases()?;
    let full = if request.effort == Effort::Full { " --full" } else { "" };
    let [object_name, contract_name] = [request.object, request.contract].map(|path| quoted(&path.to_string_lossy()));
    let options = run::Options {
        root: &build::workspace_root()?,
        effort: request.effort,
        seed: request.seed,
        command: format!("ci/verify{full} --object {object_name} --contract {contract_name} --replay"),
    };
    if let Some(replay) = request.replay {
        return run::again(&given, &cases, replay, &options);
    }
    let began = Instant::now();
    let attempts = cases
        .par_iter()
        .enumerate()
        .map(|(number, case)| Attempt { kernel: case.kernel, result: apart::prove_object(&object, &contract, number) });
    let attempts: Vec<Attempt> = attempts.collect();
    let proved = proofs::tell(&attempts, began.elapsed());
    let (place, ran) = run::all(&given, &cases, &options)?;
    print!("{}", run::told(&ran, &attempts, &place, request.seed));
    Ok(if ran.iter().all(run::Ran::is_good) { proved } else { Ending::Bad })
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |word| word.into_owned())
}

fn meant(path: &Path) -> PathBuf {
    std::env::var_os(CALLED_FROM).map_or_else(|| path.to_owned(), |folder| Path::new(&folder).join(path))
}

/// Reads a contract that the prover has a use for.
fn read_contract(path: &Path) -> Result<(ObjectContract, String), String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| named(&error))?;
    let contract = ObjectContract::parse(&text).map_err(|error| named(&error))?;
    match fits(contract.kernel) {
        Ok(()) => Ok((contract, text)),
        Err(error) => {
            Err(named(&format!("line {}: {}", line_of(&contract, &error), in_words(contract.kernel, &error))))
        }
    }
}

/// The line that is to blame.
fn line_of(contract: &ObjectContract, error: &ShapeError) -> usize {
    let name = if let ShapeError::Argument(name) = error { name } else { "" };
    let at = contract.kernel.contract.arguments.iter().position(|argument| argument.name == name);
    at.and_then(|at| contract.argument_lines.get(at)).copied().unwrap_or(contract.operation_line)
}

fn in_words(kernel: &Kernel, error: &ShapeError) -> String {
    let asked = kernel.contract;
    if *error != ShapeError::NoSpecification {
        return format!("{} of {}: {error}", asked.operation, asked.algorithm);
    }
    let contracts = ALL.iter().copied().flatten().filter(|kernel| fits(kernel).is_ok()).map(|kernel| kernel.contract);
    let mut known: Vec<String> = contracts.map(|one| format!("{} of {}", one.operation, one.algorithm)).collect();
    known.sort_unstable();
    known.dedup();
    let (algorithm, operation) = (asked.algorithm, asked.operation);
    format!("there is no specification of {operation:?} of {algorithm:?}; there are {}", known.join(", "))
}

/// One case of a function: a combination of values of the variables.
pub struct Case {
    /// The function as a kernel, whose name tells the values.
    pub kernel: &'static Kernel,
    /// Its code, with those values.
    pub code: Code,
    /// The values, in the order of the contract's variables.
    values: Vec<u64>,
    /// The same name without spaces, for replay lines.
    short_name: String,
}

/// What the user gives.
pub(crate) struct Given {
    contract: ObjectContract,
    /// The text of the contract.
    text: String,
    object: PathBuf,
    /// The object file that defines the function.
    member: Vec<u8>,
    /// It is one of several in an archive.
    is_archive: bool,
}

/// Every combination of the values of the variables.
fn combinations(variables: &[Variable]) -> Vec<Vec<(&Variable, u64)>> {
    variables.iter().fold(vec![Vec::new()], |cases, variable| {
        let with = |case: &Vec<_>, value| case.iter().copied().chain([(variable, value)]).collect();
        cases.iter().flat_map(|case| variable.values.iter().map(move |&value| with(case, value))).collect()
    })
}

/// The cases of the function that a contract describes.
///
/// # Errors
/// If a file cannot be read, or the contract is none for the function.
pub fn cases(object: &Path, contract: &Path) -> Result<Vec<Case>, String> {
    Given::read(object, contract)?.cases()
}

impl Given {
    fn read(object: &Path, contract: &Path) -> Result<Given, String> {
        let (contract, text) = read_contract(contract)?;
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", object.display());
        let data = fs::read(object).map_err(|error| named(&error))?;
        let found = member(&data, contract.kernel).map_err(|error| named(&error))?;
        let (member, is_archive) = (found.to_vec(), found.len() != data.len());
        Ok(Given { contract, text, object: object.to_owned(), member, is_archive })
    }

    fn cases(&self) -> Result<Vec<Case>, String> {
        let ObjectContract { kernel, ref variables, instructions_as_data, .. } = self.contract;
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", self.object.display());
        let file = ElfFile::parse(&self.member, kernel.architecture).map_err(|error| named(&error))?;
        let cases = combinations(variables).into_iter().map(|values| {
            let tables: Vec<Table> = values.iter().map(|&(variable, value)| table(variable, value)).collect();
            let code = file.object(kernel.name, &tables).map_err(|error| named(&error))?;
            let code = if instructions_as_data { code.with_instructions_as_data() } else { code };
            let short = values.iter().map(|(variable, value)| format!(",{}={value:#x}", variable.symbol));
            Ok(Case {
                kernel: with_values(kernel, &values),
                code,
                short_name: format!("{}{}", kernel.name, short.collect::<String>()),
                values: values.into_iter().map(|(_, value)| value).collect(),
            })
        });
        cases.collect()
    }
}

/// The kernel with a name that tells the values.
fn with_values(kernel: &'static Kernel, values: &[(&Variable, u64)]) -> &'static Kernel {
    if values.is_empty() {
        return kernel;
    }
    let values: Vec<String> =
        values.iter().map(|(variable, value)| format!("{} = {value:#x}", variable.symbol)).collect();
    let name = format!("{} where {}", kernel.name, values.join(", "));
    // As long as the contract itself.
    Box::leak(Box::new(Kernel { name: name.leak(), ..*kernel }))
}

impl Case {
    /// The variables with their values.
    fn values<'a>(&self, given: &'a Given) -> Vec<(&'a Variable, u64)> {
        given.contract.variables.iter().zip(self.values.iter().copied()).collect()
    }

    /// The first instruction executed of a feature that the contract does not declare.
    pub fn undeclared(&self) -> Option<String> {
        let Case { kernel, code, .. } = self;
        code.executed().into_iter().find_map(|offset| {
            let word = code.instruction(offset)?;
            // Of T32 the instructions on vectors have the features of A32's.
            let word = if code.is_thumb() { t32::decode::as_a32(word)? } else { word };
            let row = encoding(kernel.architecture, word)?;
            let declared = match row.needs {
                Needs::Base => true,
                Needs::Feature(feature) => kernel.features.contains(&feature),
                Needs::Extension(_) => false,
            };
            (!declared).then(|| {
                let (needs, name) = (row.needs, row.name);
                format!(
                    "at offset {offset:#x} ({word:#010x}): {name} needs {needs}, which the contract does not declare"
                )
            })
        })
    }
}

fn table(variable: &Variable, value: u64) -> Table {
    Table { name: variable.symbol.clone(), bytes: value.to_le_bytes()[..variable.bytes].to_vec(), variable: true }
}

/// Of an archive the one member that defines the function.
fn member<'data>(data: &'data [u8], kernel: &Kernel) -> Result<&'data [u8], String> {
    let Ok(archive) = ArchiveFile::parse(data) else { return Ok(data) };
    let mut found: Vec<(String, &[u8])> = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|error| error.to_string())?;
        let bytes = member.data(data).map_err(|error| error.to_string())?;
        if ElfFile::parse(bytes, kernel.architecture).is_ok_and(|file| file.defines(kernel.name)) {
            found.push((String::from_utf8_lossy(member.name()).into_owned(), bytes));
        }
    }
    match &*found {
        [(_, bytes)] => Ok(bytes),
        [] => Err(format!("no {} member of the archive defines a function {}", kernel.architecture, kernel.name)),
        more => {
            let names: Vec<&str> = more.iter().map(|(name, _)| &**name).collect();
            Err(format!("more than one member of the archive defines {}: {}", kernel.name, names.join(", ")))
        }
    }
}
