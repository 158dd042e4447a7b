import java.io.File;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** For each file and each standard, one line on standard output: file, standard, and the rules that fail. */
public class Validate {
    public static void main(String[] files) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        for (String file : files) {
            for (String standard : new String[] {"3a", "ua1"}) {
                PDFAFlavour flavour = PDFAFlavour.byFlavourId(standard);
                try (PDFAParser parser = Foundries.defaultInstance().createParser(new File(file), flavour);
                        PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false)) {
                    ValidationResult result = validator.validate(parser);
                    StringBuilder line = new StringBuilder(file + "\t" + standard + "\t" + result.isCompliant());
                    for (TestAssertion assertion : result.getTestAssertions()) {
                        line.append("\t").append(assertion.getRuleId().getClause()).append("-")
                            .append(assertion.getRuleId().getTestNumber()).append(" ").append(assertion.getMessage());
                    }
                    System.out.println(line);
                }
            }
        }
    }
}
